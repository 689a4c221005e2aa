const SAMPLE_MS = 50;

/** Samples this process's memory until it is stopped. */
export function watchMemory(): { stop(): string } {
  const before = process.memoryUsage.rss();
  const samples: number[] = [];
  const timer = setInterval(() => samples.push(process.memoryUsage.rss()), SAMPLE_MS);
  return {
    /** @returns the maximum growth, and the part after the first fifth of the time: none if memory is flat */
    stop() {
      clearInterval(timer);
      samples.push(process.memoryUsage.rss());
      const first = samples.slice(0, Math.ceil(samples.length / 5));
      const most = (values: readonly number[]) => Math.max(before, ...values);
      const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
      return `${mb(most(samples) - before)}, ${mb(most(samples) - most(first))} of it after the first fifth`;
    },
  };
}
