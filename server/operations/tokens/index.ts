import { createApiToken } from './createApiToken';
import { listTokens } from './listTokens';
import { revokeApiToken } from './revokeApiToken';
import { updateApiToken } from './updateApiToken';

export const tokensHandlers = { createApiToken, listTokens, revokeApiToken, updateApiToken };
