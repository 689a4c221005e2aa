/** Between attempts; a connection that is gone for longer is for the person to know. */
const WAITS_MS = [300, 1000];

/**
 * fetch that sends a request again when the connection broke (Wi-Fi to cable, a tunnel, containers of this machine
 * that come and go), if the server does it once however often it comes: it carries an Idempotency-Key. Reads are
 * repeated by the query cache.
 */
export function withResend(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    if (!request.headers.has('Idempotency-Key')) return send(request);
    for (const wait_ms of WAITS_MS) {
      try {
        return await send(request.clone());
      } catch (error) {
        // What fetch throws when no answer came; given up by the page itself, it is an AbortError.
        if (!(error instanceof TypeError)) throw error;
        await new Promise((resolve) => setTimeout(resolve, wait_ms));
      }
    }
    return send(request);
  };
}
