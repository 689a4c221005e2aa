import { describe, expect, it } from 'vitest';
import { nextStanding, type DomainStanding } from './domainState';

const fresh: DomainStanding = {
  state: 'pending',
  proved_at: null,
  verified_at: null,
  broken_since: null,
  failures: 0,
  unanswered: 0,
};
const DAY = 86_400_000;
const start = new Date('2026-11-21T08:00:00Z').getTime();
type Finding = 'right' | 'wrong' | 'unknown' | 'lost';

/** Each finding arrives when the previous one's next check is due. */
function run(findings: Finding[], from: DomainStanding = fresh) {
  let standing = from;
  let at = new Date(start);
  const events: (string | null)[] = [];
  const waits: number[] = [];
  for (const finding of findings) {
    const proved =
      finding === 'right' ? true : finding === 'wrong' ? true : finding === 'lost' ? false : null;
    const step = nextStanding(standing, { state: finding === 'lost' ? 'wrong' : finding, proved, at }, 0);
    standing = step.standing;
    events.push(step.event);
    waits.push((step.next_check_at.getTime() - at.getTime()) / 1000);
    at = step.next_check_at;
  }
  return { standing, events, waits };
}

describe('a domain', () => {
  it('is checked soon at first, then less often, and finally daily', () => {
    const { waits, standing, events } = run(Array.from({ length: 13 }, () => 'lost'));
    expect(waits.slice(0, 5)).toEqual([30, 60, 60, 120, 300]);
    expect(waits.slice(-2)).toEqual([86_400, 86_400]);
    expect(waits.every((wait, i) => i === 0 || wait >= (waits[i - 1] ?? 0))).toBe(true);
    expect(standing).toMatchObject({ state: 'pending', proved_at: null });
    expect(events.every((event) => event === null)).toBe(true);
  });

  it('is reported once when it becomes correct, and then checked daily', () => {
    const { events, waits, standing } = run(['wrong', 'right', 'right']);
    expect(events).toEqual([null, 'verified', null]);
    expect(waits.slice(1)).toEqual([86_400, 86_400]);
    expect(standing).toMatchObject({ state: 'verified', verified_at: new Date(start + 30_000), failures: 0 });
  });

  it('breaks after two wrong answers in a row, and is reported once', () => {
    const { events, standing, waits } = run(['right', 'lost', 'lost', 'lost', 'right']);
    expect(events).toEqual(['verified', null, 'broken', null, 'verified']);
    expect(waits.slice(1, 3)).toEqual([30, 60]);
    expect(standing).toMatchObject({ state: 'verified', broken_since: null });
    expect(run(['right', 'lost', 'lost']).standing).toMatchObject({ state: 'broken', proved_at: null });
  });

  it('does not break after one wrong answer, nor after a passing silence', () => {
    expect(run(['right', 'lost', 'right']).events).toEqual(['verified', null, null]);
    const silent = run(['right', 'unknown', 'unknown', 'unknown', 'right']);
    expect(silent.events).toEqual(['verified', null, null, null, null]);
    expect(silent.standing.proved_at).toEqual(new Date(start));
  });

  it('breaks after a long silence, and still belongs to the team', () => {
    const { standing, events } = run(['right', 'unknown', 'unknown', 'unknown', 'unknown']);
    expect(events.at(-1)).toBe('broken');
    expect(standing).toMatchObject({ state: 'broken', proved_at: new Date(start) });
  });

  it('does not break when silence precedes its first wrong answer', () => {
    const { state, proved_at } = run(['right', 'unknown', 'lost']).standing;
    expect([state, proved_at]).toEqual(['verified', new Date(start)]);
    expect(run(['right', 'unknown', 'lost', 'lost']).standing.state).toBe('broken');
  });

  it('is checked at a different time of day than the others', () => {
    const next = (spread: number) =>
      nextStanding(
        fresh,
        { state: 'right', proved: true, at: new Date(start) },
        spread,
      ).next_check_at.getTime() - start;
    expect([next(0), next(1)]).toEqual([DAY, DAY * 0.9]);
  });
});
