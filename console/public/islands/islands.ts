/** The interactive parts of public pages, loaded only by pages that have them. */
export const islands = {
  checkDomain: async () => (await import('./CheckDomain')).CheckDomain,
  copyText: async () => (await import('./CopyText')).CopyText,
  priceCalculator: async () => (await import('./PriceCalculator')).PriceCalculator,
  reportApp: async () => (await import('./ReportApp')).ReportApp,
  watchApp: async () => (await import('./WatchApp')).WatchApp,
  watchByWebhook: async () => (await import('./WatchByWebhook')).WatchByWebhook,
  watchLink: async () => (await import('./WatchLink')).WatchLink,
  verifyApp: async () => (await import('./VerifyApp')).VerifyApp,
  verifyWidget: async () => (await import('./VerifyWidget')).VerifyWidget,
  verifyFile: async () => (await import('./VerifyFile')).VerifyFile,
};
