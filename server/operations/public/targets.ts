import { RateLimiterMemory } from 'rate-limiter-flexible';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { addressGroup } from '../../domain/core/address';
import { Problem } from '../../domain/core/problem';
import type { OutboundError } from '../../drivers/net';

/** Requests that one host name is sent an hour on behalf of visitors, by all of them together: any visitor can name it. */
const perHost = new RateLimiterMemory({ points: 30, duration: 3_600 });

/** @throws RATE_LIMITED */
export async function countTarget(hostname: string): Promise<void> {
  await perHost.consume(hostname.toLowerCase()).catch(() => {
    throw new Problem('RATE_LIMITED', {
      message: `Too many requests were sent to ${hostname}. Try again in an hour.`,
      retryAfter: 3_600,
    });
  });
}

/** Reports about apps that one address sends an hour. Open ones are bounded, so one visitor could keep out all others. */
const perReporter = new RateLimiterMemory({ points: 20, duration: 3_600 });

/** @throws RATE_LIMITED */
export async function countReport(address: string): Promise<void> {
  await perReporter.consume(addressGroup(address)).catch(() => {
    throw new Problem('RATE_LIMITED', {
      message: 'Too many reports were sent from your network. Try again in an hour.',
      retryAfter: 3_600,
    });
  });
}

/**
 * Why a request failed, for visitors.
 * @param unreachable what to say about names without a public address: those of the private network read like those that
 *   don't exist
 */
export const visitorReason = ({ kind, message }: OutboundError, unreachable: string): string =>
  kind === 'refused' || kind === 'unknown_host' ? unreachable : cutWhole(message, 300);
