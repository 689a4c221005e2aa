/** Delays between attempts. After the last, the error is shown. */
const WAITS_MS = [300, 1000];

/**
 * fetch that resends a request after a broken connection (Wi-Fi to cable, a tunnel, local containers that start
 * or stop) if it carries an Idempotency-Key, so the server performs it once. The query cache retries reads.
 */
export function withResend(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    if (!request.headers.has('Idempotency-Key')) return send(request);
    for (const wait_ms of WAITS_MS) {
      try {
        return await send(request.clone());
      } catch (error) {
        // fetch throws a TypeError if there was no response, and an AbortError if the page aborted it.
        if (!(error instanceof TypeError)) throw error;
        await new Promise((resolve) => setTimeout(resolve, wait_ms));
      }
    }
    return send(request);
  };
}
