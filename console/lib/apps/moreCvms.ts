/** Whether the app has more CVMs than app lists include: the newest 25. */
export const hasMoreCvms = (app: { cvm_count: number; cvms: readonly unknown[] }): boolean =>
  app.cvm_count > app.cvms.length;
