/** Maximum context of a model, in tokens; the API's limit. */
export const MAX_CONTEXT_TOKENS = 8_000_000;
