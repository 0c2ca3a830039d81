/* SPDX-License-Identifier: ISC */
/*
 * svm_alloc - what ends an allocation: the calls that free SVM.
 */
#ifndef VGPU_ICD_SVM_ALLOC_H
#define VGPU_ICD_SVM_ALLOC_H

/* Free the allocation that begins at p, here and at the host, if there is. */
void svm_release(const void *p);

#endif
