/** Ingestion regions of the error-reporting service; anything else in `r` is refused before a host name is built from it. */
export const SENTRY_REGIONS = ['us', 'de'] as const;
