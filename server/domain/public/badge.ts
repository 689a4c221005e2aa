import type { Report, ReportState } from '../../../console/lib/attestation/types';
import { escapeHtml } from '../core/escapeHtml';

/** A badge about an app. Green only for evidence that just passed. */
export interface Badge {
  message: string;
  color: 'green' | 'red' | 'grey';
}

export const STOPPED: Badge = { message: 'not running', color: 'grey' };

/** For every ID without a published app, so that it doesn't reveal which apps exist. */
export const NOT_PUBLISHED: Badge = { message: 'not published', color: 'grey' };

const NOT_RESPONDING: Badge = { message: 'not responding', color: 'grey' };

const BADGES: Readonly<Record<ReportState, Badge>> = {
  verified: { message: 'verified', color: 'green' },
  // An exception is for readers of the report, because a color can't explain it.
  'verified with exceptions': { message: 'verified with exceptions', color: 'grey' },
  'not verified': { message: 'not verified', color: 'red' },
  unknown: { message: 'can’t be verified', color: 'grey' },
  simulated: { message: 'simulated, no TEE', color: 'grey' },
};

const SIMULATED_FALSE: Badge = { message: 'not verified, simulated', color: 'red' };

export function badgeOf(
  { state, simulated }: Pick<Report, 'state' | 'simulated'>,
  is_online: boolean,
): Badge {
  // Saved evidence proves nothing about now, except that the host has no TEE.
  if (!is_online) return simulated ? BADGES.simulated : NOT_RESPONDING;
  return simulated && state === 'not verified' ? SIMULATED_FALSE : BADGES[state];
}

/** Worst first. */
const ORDER: readonly Badge[] = [
  BADGES['not verified'],
  SIMULATED_FALSE,
  BADGES.unknown,
  NOT_RESPONDING,
  BADGES.simulated,
  BADGES['verified with exceptions'],
  BADGES.verified,
];

/** Returns the badge of an app from those of its running CVMs: one good CVM proves nothing about the others. */
export const worstBadge = (badges: readonly Badge[]): Badge =>
  ORDER.find(({ message }) => badges.some((badge) => badge.message === message)) ?? STOPPED;

/** Returns the badge of an app with more running CVMs than were verified: nothing is known about the others. */
export const partialBadge = (badge: Badge): Badge =>
  badge === BADGES.verified || badge === BADGES['verified with exceptions'] ? BADGES.unknown : badge;

const LABEL = 'TEE';
const COLORS = { green: '#1f6b4a', red: '#b3261e', grey: '#5c635e' };

/** https://shields.io/badges/endpoint-badge */
export const shieldsBadge = ({ message, color }: Badge) => ({
  schemaVersion: 1,
  label: LABEL,
  message,
  color: COLORS[color].slice(1),
  cacheSeconds: 300,
});

/** About as wide as the text in 11 px Verdana, the font of such badges. */
const widthOf = (text: string) => Math.ceil(text.length * 6.7) + 12;

export function svgBadge({ message, color }: Badge): string {
  const [left, right] = [widthOf(LABEL), widthOf(message)];
  const text = (x: number, words: string) =>
    `<text x="${x}" y="14" text-anchor="middle" fill="#fff">${escapeHtml(words)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${LABEL}: ${escapeHtml(message)}"><title>${LABEL}: ${escapeHtml(message)}</title><clipPath id="r"><rect width="${left + right}" height="20" rx="3"/></clipPath><g clip-path="url(#r)"><rect width="${left}" height="20" fill="#33362f"/><rect x="${left}" width="${right}" height="20" fill="${COLORS[color]}"/></g><g font-family="Verdana,Geneva,sans-serif" font-size="11">${text(left / 2, LABEL)}${text(left + right / 2, message)}</g></svg>`;
}
