/* SPDX-License-Identifier: ISC */
#include "transport/tls_reason.h"

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "common/log.h"
#include "transport/pem.h"
#include "transport/tls_ctx.h"

#define NAMES_MAX 200 /* of a certificate, in an error */

/* --- OpenSSL's reasons ---------------------------------------------------- */

static const struct {
	int reason;
	enum vgpu_err e;
	const char *text;
} reasons[] = {
	/* What the peer's alert says of us. */
	{ SSL_R_TLSV1_ALERT_UNKNOWN_CA, VGPU_EAUTH,
	    "the peer refused our certificate: not signed by its CA" },
	{ SSL_R_SSLV3_ALERT_CERTIFICATE_EXPIRED, VGPU_EAUTH,
	    "the peer refused our certificate: expired or not yet valid" },
	{ SSL_R_SSLV3_ALERT_BAD_CERTIFICATE, VGPU_EAUTH,
	    "the peer refused our certificate: it is wrong for this peer" },
	{ SSL_R_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE, VGPU_EAUTH,
	    "the peer refused our certificate: made for another purpose" },
	{ SSL_R_SSLV3_ALERT_CERTIFICATE_REVOKED, VGPU_EAUTH,
	    "the peer refused our certificate: revoked" },
	{ SSL_R_SSLV3_ALERT_CERTIFICATE_UNKNOWN, VGPU_EAUTH,
	    "the peer refused our certificate" },
	{ SSL_R_TLSV1_ALERT_ACCESS_DENIED, VGPU_EAUTH,
	    "the peer does not let us in" },
	{ SSL_R_TLSV1_ALERT_DECRYPT_ERROR, VGPU_EAUTH,
	    "the peer refused our certificate or its proof: a signature is "
	    "wrong" },
	{ SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED, VGPU_EAUTH,
	    "the peer wants a certificate of ours" },
	{ SSL_R_TLSV1_ALERT_NO_APPLICATION_PROTOCOL, VGPU_ETLS,
	    "the peer speaks TLS, but not " TLS_ALPN " over it" },
	{ SSL_R_TLSV1_ALERT_PROTOCOL_VERSION, VGPU_ETLS,
	    "the peer does not speak TLS 1.3" },
	{ SSL_R_SSLV3_ALERT_HANDSHAKE_FAILURE, VGPU_ETLS,
	    "the peer shares no TLS 1.3 settings with us" },
	{ SSL_R_TLSV1_ALERT_INTERNAL_ERROR, VGPU_ETLS,
	    "the peer could not do its part of the handshake" },
	{ SSL_R_SSLV3_ALERT_UNEXPECTED_MESSAGE, VGPU_ETLS,
	    "the peer did not expect what we sent" },
	/* What we find wrong with the peer. */
	{ SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE, VGPU_EAUTH,
	    "the peer sent no certificate" },
	{ SSL_R_NO_APPLICATION_PROTOCOL, VGPU_ETLS,
	    "the peer speaks TLS, but not " TLS_ALPN " over it" },
	{ SSL_R_UNSUPPORTED_PROTOCOL, VGPU_ETLS,
	    "the peer does not speak TLS 1.3" },
	{ SSL_R_NO_SHARED_CIPHER, VGPU_ETLS,
	    "the peer shares no TLS 1.3 settings with us" },
	{ SSL_R_WRONG_VERSION_NUMBER, VGPU_ETLS,
	    "the peer does not speak TLS" },
	{ SSL_R_HTTP_REQUEST, VGPU_ETLS, "the peer sent an HTTP request" },
	{ SSL_R_HTTPS_PROXY_REQUEST, VGPU_ETLS,
	    "the peer sent an HTTP request" },
	{ SSL_R_UNEXPECTED_EOF_WHILE_READING, VGPU_ECLOSED,
	    "the peer closed the connection without a farewell" },
};

enum vgpu_err
tls_reason_error(struct err_text *err)
{
	unsigned long code = ERR_peek_last_error();
	int reason = ERR_GET_REASON(code);
	const char *text = NULL;
	size_t i;

	if (code == 0)
		return err_set(err, VGPU_ETLS, "TLS failed without a reason");
	for (i = 0; i < sizeof(reasons) / sizeof(reasons[0]) &&
	    ERR_GET_LIB(code) == ERR_LIB_SSL; i++)
		if (reasons[i].reason == reason)
			return err_set(err, reasons[i].e, "%s",
			    reasons[i].text);
	text = ERR_reason_error_string(code);
	return err_set(err, VGPU_ETLS, "TLS failed: %s",
	    text != NULL ? text : "unknown reason");
}

/* --- certificates --------------------------------------------------------- */

/* One name of a certificate as text, escaped, as it comes from the peer. */
static void
name_text(char *out, size_t size, const GENERAL_NAME *name)
{
	const ASN1_STRING *s;
	char ip[INET6_ADDRSTRLEN];
	int n;

	if (name->type == GEN_DNS) {
		s = name->d.dNSName;
		log_escape(out, size, (const char *)ASN1_STRING_get0_data(s),
		    (size_t)ASN1_STRING_length(s));
		return;
	}
	if (name->type != GEN_IPADD)
		return;
	s = name->d.iPAddress;
	n = ASN1_STRING_length(s);
	if ((n == 4 || n == 16) && inet_ntop(n == 4 ? AF_INET : AF_INET6,
	    ASN1_STRING_get0_data(s), ip, sizeof(ip)) != NULL)
		snprintf(out, size, "%s", ip);
}

/* The names that a host's certificate is for. */
static void
names_text(char *out, size_t size, const X509 *x)
{
	GENERAL_NAMES *names;
	char one[80];
	size_t at = 0;
	int i, n;

	snprintf(out, size, "no name");
	names = X509_get_ext_d2i(x, NID_subject_alt_name, NULL, NULL);
	for (i = 0; i < sk_GENERAL_NAME_num(names); i++) {
		one[0] = '\0';
		name_text(one, sizeof(one), sk_GENERAL_NAME_value(names, i));
		if (one[0] == '\0')
			continue;
		n = snprintf(out + at, size - at, "%s%s", at > 0 ? ", " : "",
		    one);
		if (n < 0 || (size_t)n >= size - at)
			break;
		at += (size_t)n;
	}
	GENERAL_NAMES_free(names);
}

static void
subject_text(char *out, size_t size, const X509 *x)
{
	char name[128] = "";

	X509_NAME_get_text_by_NID(X509_get_subject_name(x), NID_commonName,
	    name, sizeof(name));
	log_escape(out, size, name, strlen(name));
}

static enum vgpu_err
refuse_name(const X509 *x, const char *hostname, struct err_text *err)
{
	char names[NAMES_MAX];

	names_text(names, sizeof(names), x);
	return err_set(err, VGPU_EAUTH, "the host's certificate is for %s, "
	    "not for %s", names, hostname);
}

static enum vgpu_err
refuse_time(const X509 *x, const char *who, struct err_text *err)
{
	char subject[130], time[PEM_TIME_MAX];
	bool past = X509_cmp_current_time(X509_get0_notAfter(x)) < 0;

	subject_text(subject, sizeof(subject), x);
	return err_set(err, VGPU_EAUTH, past ?
	    "the %s's certificate (\"%s\") expired %s" :
	    "the %s's certificate (\"%s\") is not valid before %s (is the "
	    "clock right?)", who, subject, pem_time(past ?
	    X509_get0_notAfter(x) : X509_get0_notBefore(x), time));
}

enum vgpu_err
tls_reason_verify(X509_STORE_CTX *store, const char *hostname,
    struct err_text *err)
{
	const X509 *x = X509_STORE_CTX_get0_cert(store);
	const char *who = hostname != NULL ? "host" : "client";
	int error = X509_STORE_CTX_get_error(store);
	char subject[130];

	switch (error) {
	case X509_V_ERR_HOSTNAME_MISMATCH:
	case X509_V_ERR_IP_ADDRESS_MISMATCH:
		return refuse_name(x, hostname, err);
	case X509_V_ERR_CERT_HAS_EXPIRED:
	case X509_V_ERR_CERT_NOT_YET_VALID:
		return refuse_time(X509_STORE_CTX_get_current_cert(store),
		    who, err);
	}
	subject_text(subject, sizeof(subject), x);
	switch (error) {
	case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
	case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
	case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
	case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
	case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
	case X509_V_ERR_CERT_SIGNATURE_FAILURE:
	case X509_V_ERR_CERT_UNTRUSTED:
		return err_set(err, VGPU_EAUTH, "the %s's certificate "
		    "(\"%s\") is not signed by our CA", who, subject);
	case X509_V_ERR_INVALID_PURPOSE:
		return err_set(err, VGPU_EAUTH, "the %s's certificate "
		    "(\"%s\") is not made for a %s", who, subject, who);
	}
	return err_set(err, VGPU_EAUTH, "the %s's certificate (\"%s\"): %s",
	    who, subject, X509_verify_cert_error_string(error));
}
