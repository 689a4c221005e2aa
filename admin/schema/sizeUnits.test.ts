import { describe, expect, it } from 'vitest';
import { createFields } from './forms';
import { getResource } from './resources';
import { bestUnit, inUnit, toStored, unitsOf } from './sizeUnits';

const fields = createFields(getResource('instance-types'));
const memory = fields.find(({ name }) => name === 'memory_mb')!;
const disk = fields.find(({ name }) => name === 'default_disk_size_gb')!;

describe('sizes in forms', () => {
  it('shows a stored size in the largest unit that keeps it whole', () => {
    const shown = (mb: number) => {
      const unit = bestUnit(memory, mb);
      return `${inUnit(mb, unit)} ${unitsOf(memory)[unit]}`;
    };
    expect(shown(2048)).toBe('2 GB');
    expect(shown(1536)).toBe('1536 MB');
    expect(shown(2 * 1024 * 1024)).toBe('2 TB');
    expect(shown(0)).toBe('0 GB');
  });

  it('starts in GB', () => {
    expect(unitsOf(memory)[bestUnit(memory, undefined)]).toBe('GB');
    expect(unitsOf(disk)[bestUnit(disk, undefined)]).toBe('GB');
  });

  it('stores MB and GB', () => {
    expect(toStored(1.5, 1)).toBe(1536);
    expect(toStored(2, unitsOf(disk).indexOf('TB'))).toBe(2048);
  });
});
