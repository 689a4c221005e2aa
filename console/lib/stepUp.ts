/** Asks the person to confirm that it is them; false when they would rather not. */
type Ask = () => Promise<boolean>;

/** By status: the webhooks of the published service answer 428 where others answer 403. */
const STEP_UP_REQUIRED: Readonly<Record<number, string>> = { 403: 'ERR-00-031', 428: 'ERR-07-002' };

let host: Ask | undefined;
let asking: Promise<boolean> | undefined;
/** When the person last confirmed, by `performance.now()`. */
let confirmedAt = -1;

/** The one dialog of the page says how it asks. @returns how to withdraw it */
export function hostStepUp(ask: Ask): () => void {
  host = ask;
  return () => {
    if (host === ask) host = undefined;
  };
}

/** One question for everybody who waits. False also when nothing on the page can ask. */
export function confirmItIsYou(): Promise<boolean> {
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
 * fetch that asks the person when the server wants them to confirm, then sends the same request once more. The caller
 * notices nothing; if the person gives up, it gets the server's refusal.
 */
export function withStepUp(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const again = request.clone();
    const sentAt = performance.now();
    const answer = await send(request);
    if (!(await wantsStepUp(answer))) return answer;
    // Several requests fail together: those that were under way when the person confirmed need not ask again.
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
