import { describe, expect, it } from 'vitest';
import { instantOf, ownZone, wallOf, zones } from './zonedTime';

describe('local time in a zone', () => {
  it.each([
    ['2026-11-22T18:00', 'Europe/Berlin', '2026-11-22T17:00:00.000Z'],
    ['2026-07-22T18:00', 'Europe/Berlin', '2026-07-22T16:00:00.000Z'],
    ['2026-11-22T18:00', 'UTC', '2026-11-22T18:00:00.000Z'],
    ['2026-12-31T23:30', 'Asia/Kathmandu', '2026-12-31T17:45:00.000Z'],
    ['2027-01-01T00:15', 'Pacific/Kiritimati', '2026-12-31T10:15:00.000Z'],
    // Occurs twice when daylight saving time ends; the first one counts.
    ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    // The first and last that a field for dates accepts.
    ['9999-12-31T23:59', 'UTC', '9999-12-31T23:59:00.000Z'],
    ['9999-12-31T23:59', 'America/New_York', '+010000-01-01T04:59:00.000Z'],
    ['0001-01-01T00:00', 'UTC', '0001-01-01T00:00:00.000Z'],
  ])('converts %s in %s to %s and back', (wall, zone, at) => {
    expect(instantOf(wall, zone)?.toISOString()).toBe(at);
    expect(wallOf(new Date(at), zone)).toBe(wall);
  });

  it.each([
    // Skipped when daylight saving time starts.
    ['2026-03-29T02:30', 'Europe/Berlin'],
    ['2026-02-30T12:00', 'UTC'],
    ['2026-13-01T12:00', 'UTC'],
    ['tomorrow', 'UTC'],
    ['', 'UTC'],
  ])('rejects the nonexistent time %s in %s', (wall, zone) => expect(instantOf(wall, zone)).toBeNull());
});

it("lists the time zones, the user's first", () => {
  expect(zones()[0]).toBe(ownZone());
  expect(zones()).toContain('America/St_Johns');
  expect(new Set(zones()).size).toBe(zones().length);
});
