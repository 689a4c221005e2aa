/**
 * The nonce in this page's Content-Security-Policy (`style-src 'self' 'nonce-…'`), which the server writes into
 * `<meta property="csp-nonce">`. Vite reads the same element for the styles it adds.
 */
export function cspNonce(): string | undefined {
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  // Browsers hide the `nonce` attribute from getAttribute, but not the property.
  return meta?.content || meta?.nonce || undefined;
}
