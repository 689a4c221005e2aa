/** Settings of a chat request, under the API's names. An absent one is left to the model server. */
export interface ChatSettings {
  max_tokens?: number;
  /** From 0 to 2. */
  temperature?: number;
  /** From 0 to 1. */
  top_p?: number;
  /** Up to 4. */
  stop?: readonly string[];
  seed?: number;
}
