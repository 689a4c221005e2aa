/** Whether the app has more CVMs than a list of apps carries with it: the newest 25. */
export const hasMoreCvms = (app: { cvm_count: number; cvms: readonly unknown[] }): boolean =>
  app.cvm_count > app.cvms.length;
