import type { ComposeAnalysis, ComposeContext } from '../../../console/lib/compose/composeFile';

export type { ComposeAnalysis } from '../../../console/lib/compose/composeFile';

/** Analyzes untrusted Compose files off the main thread, within time and memory limits. */
export interface ComposeAnalyzer {
  /**
   * Answers repeats of a recent request from memory.
   * @param owner who the work is for; owners take turns, so that one can't delay the others
   * @throws COMPOSE_TOO_COMPLEX if the file exceeds a limit; RATE_LIMITED if too many of the owner's files wait
   */
  analyze(text: string, owner: string, context?: ComposeContext): Promise<ComposeAnalysis>;
}

/** Message to a worker thread. */
export interface AnalysisRequest {
  text: string;
  context: ComposeContext;
}
