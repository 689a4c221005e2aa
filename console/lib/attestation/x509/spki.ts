/** SubjectPublicKeyInfo (DER, hex) of a P-256 key up to its point (RFC 5480 §2). */
export const P256_SPKI = '3059301306072a8648ce3d020106082a8648ce3d030107034200';
