import { parentPort } from 'node:worker_threads';
import { analyseCompose } from '../../../console/lib/compose/composeFile';
import type { AnalysisRequest } from './index';

/** The thread that analyzes one Compose file at a time. pool.ts ends it if a file takes too long. */
parentPort?.on('message', ({ text, context }: AnalysisRequest) => {
  parentPort?.postMessage(analyseCompose(text, context));
});
parentPort?.postMessage('ready');
