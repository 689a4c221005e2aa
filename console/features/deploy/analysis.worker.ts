// Reads compose files off the main thread: half a second of parsing must not be half a second without typing.

import { analyseCompose } from '../../lib/composeFile';
import { type AppComposeInput, buildAppCompose } from '../../lib/composeHash';
import type { AnalysisAnswer, AnalysisRequest } from './analysis';

self.addEventListener('message', ({ data }: MessageEvent<AnalysisRequest>) => {
  const answer: AnalysisAnswer = {
    id: data.id,
    analysis: analyseCompose(data.compose.docker_compose_file, data.context),
    compose_hash: hashOf(data.compose),
  };
  self.postMessage(answer);
});

function hashOf(compose: AppComposeInput): string | null {
  try {
    return buildAppCompose(compose).compose_hash;
  } catch {
    // Text without a UTF-8 form: a finding says so.
    return null;
  }
}
