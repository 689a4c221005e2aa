import { parentPort } from 'node:worker_threads';
import { analyzeCompose } from '../../../console/lib/compose/composeFile';
import type { AnalysisRequest } from './index';

/** The thread that analyzes one Compose file at a time. pool.ts ends it if a file takes too long. */
parentPort?.on('message', ({ text, context }: AnalysisRequest) => {
  parentPort?.postMessage(analyzeCompose(text, context));
});
parentPort?.postMessage('ready');
