import { expect, it } from 'vitest';
import { gpusOnly, roomText } from './roomText';

it('names only what matters', () => {
  expect(roomText(gpusOnly(1))).toBe('1 GPU');
  expect(roomText({ gpus: 0, vcpu: 4, memory_mb: 8192, disk_gb: 40 })).toBe(
    '4 vCPU, 8 GB memory and 40 GB disk',
  );
  expect(roomText({ gpus: 2, vcpu: 0, memory_mb: 1536, disk_gb: 0 })).toBe('2 GPUs and 1.5 GB memory');
});
