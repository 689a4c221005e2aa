/**
 * Imported before Vite, which reads this when it loads. Rolldown has five threads on two processors, and its plugins
 * can block them all while they wait for each other: the build then hangs. See rolldown/rolldown#10666.
 */
process.env.ROLLDOWN_MAX_BLOCKING_THREADS ??= '64';
