import { RateLimiterMemory } from 'rate-limiter-flexible';
import { cutWhole } from '../../../console/lib/texts/cutWhole';
import { addressGroup } from '../../domain/core/address';
import { Problem } from '../../domain/core/problem';
import type { OutboundError } from '../../drivers/net';

/** Hourly requests to one host name on behalf of all visitors together, since any visitor can name it. */
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

/** Hourly reports per IP address. Open reports are bounded, so without this one visitor could block all others. */
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
 * Returns the reason a request failed, for visitors.
 * @param unreachable text for names without a public address: private names read the same as nonexistent
 *   ones
 */
export const visitorReason = ({ kind, message }: OutboundError, unreachable: string): string =>
  kind === 'refused' || kind === 'unknown_host' ? unreachable : cutWhole(message, 300);
