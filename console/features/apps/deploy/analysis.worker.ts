// Parses compose files off the main thread, so half a second of parsing doesn't block typing.

import { analyzeCompose } from '../../../lib/compose/composeFile';
import { type AppComposeInput, buildAppCompose } from '../../../lib/compose/composeHash';
import type { AnalysisAnswer, AnalysisRequest } from './analysis';

self.addEventListener('message', ({ data }: MessageEvent<AnalysisRequest>) => {
  const answer: AnalysisAnswer = {
    id: data.id,
    analysis: analyzeCompose(data.compose.docker_compose_file, data.context),
    compose_hash: hashOf(data.compose),
  };
  self.postMessage(answer);
});

function hashOf(compose: AppComposeInput): string | null {
  try {
    return buildAppCompose(compose).compose_hash;
  } catch {
    // The text can't be encoded as UTF-8; a finding says so.
    return null;
  }
}
