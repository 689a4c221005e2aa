import { mediaParts } from './modalities';
import { requestText, type ModelRequest } from './modelRequest';
import { estimatedTokens } from './upstreamUsage';

/** Assumed tokens of an image, a recording or a file. Its bytes say little: an image of any size may take as many. */
const MEDIA_TOKENS = 1000;

/** Estimates the tokens that a model reads of a request whose model server doesn't report them. */
export const estimatedInput = (request: ModelRequest): number =>
  estimatedTokens(Buffer.byteLength(requestText(request))) + mediaParts(request).length * MEDIA_TOKENS;
