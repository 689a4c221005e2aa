/** Asks the user to confirm their identity. Resolves to false if they cancel. */
type Ask = () => Promise<boolean>;

/** By status: the published service's webhook operations answer 428 where others answer 403. */
const STEP_UP_REQUIRED: Readonly<Record<number, string>> = { 403: 'ERR-00-031', 428: 'ERR-07-002' };

let host: Ask | undefined;
let asking: Promise<boolean> | undefined;
/** When the user last confirmed, by `performance.now()`. */
let confirmedAt = -1;

/** Registers the page's confirmation dialog. @returns a function that unregisters it */
export function hostStepUp(ask: Ask): () => void {
  host = ask;
  return () => {
    if (host === ask) host = undefined;
  };
}

/** Shares one dialog among all waiting requests. Also resolves to false if the page has no dialog. */
function confirmItIsYou(): Promise<boolean> {
  if (!host) return Promise.resolve(false);
  asking ??= host()
    .then((confirmed) => {
      if (confirmed) confirmedAt = performance.now();
      return confirmed;
    })
    .finally(() => {
      asking = undefined;
    });
  return asking;
}

/**
 * Wraps fetch: if the server requires confirmation, asks the user and sends the same request again. If the user cancels,
 * the caller receives the server's refusal.
 */
export function withStepUp(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const again = request.clone();
    const sentAt = performance.now();
    const answer = await send(request);
    if (!(await wantsStepUp(answer))) return answer;
    // Concurrent requests fail together; those sent before the user confirmed don't prompt again.
    if (sentAt > confirmedAt && !(await confirmItIsYou())) return answer;
    return send(again);
  };
}

async function wantsStepUp(answer: Response): Promise<boolean> {
  const wanted = STEP_UP_REQUIRED[answer.status];
  if (wanted === undefined) return false;
  try {
    const body: unknown = await answer.clone().json();
    return typeof body === 'object' && body !== null && 'code' in body && body.code === wanted;
  } catch {
    return false;
  }
}
