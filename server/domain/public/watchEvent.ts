import type { PublicTrust } from '../../../generated/api/types.gen';
import type { Seal } from '../core/seal';

/** Requests to webhooks that watch a published app: docs/embedding.md documents their fields. */

export type WatchEventKind = 'watch.challenge' | 'app.changed' | 'app.published' | 'app.unpublished';

/**
 * Waits before the second and each further attempt. When the last fails, the watch ends, after about three
 * days.
 */
export const WATCH_RETRY_SECONDS = [60, 600, 3_600, 21_600, 86_400, 172_800];

interface ShownVersion {
  compose_hash: string;
  os_image: string;
}

interface WatchEventData {
  app_id: string;
  app_name: string;
  /** As in the explorer; omitted while the app isn't published. */
  trust?: PublicTrust;
  /** Address of the app's page, where anyone can verify it. */
  report_url: string;
  challenge?: string;
  /** State described by the last request; null if nothing was published. */
  before?: ShownVersion | null;
  /** The published state; null if there is none. */
  after?: ShownVersion | null;
  /** Changed lines of the Compose file, as in a unified diff, at most 80. */
  diff?: string[];
  /** The server's own verification result; null if it didn't finish. */
  check?: string | null;
  /** A POST to it ends the watch. */
  unsubscribe_url?: string;
}

export const watchEventBody = (
  { event_id, event, at }: { event_id: string; event: WatchEventKind; at: Date },
  data: WatchEventData,
): string => JSON.stringify({ id: event_id, event, version: '1', created_at: at.toISOString(), data });

/** Whether a receiver's answer repeats the challenge, as text or as the JSON field `challenge`. */
export function repeatsChallenge(answer: string, challenge: string): boolean {
  const text = answer.trim();
  if (text === challenge) return true;
  try {
    const parsed: unknown = JSON.parse(text);
    return (
      typeof parsed === 'object' && parsed !== null && 'challenge' in parsed && parsed.challenge === challenge
    );
  } catch {
    return false;
  }
}

const PURPOSE = 'watch-webhook-secret';

export const sealWatchSecret = (seal: Seal, secret: string) => seal.seal(PURPOSE, secret);
/** @throws when it was sealed with another key */
export const openWatchSecret = (seal: Seal, sealed: string) => seal.open(PURPOSE, sealed);
