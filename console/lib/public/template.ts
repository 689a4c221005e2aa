import type { Template } from '../../../generated/api/types.gen';

interface Size {
  vcpu: number;
  memory_mb: number;
  gpu_count: number;
}

/**
 * Returns the cheapest size that fits a template, with a GPU only if the template needs one; undefined if none
 * does.
 */
export const sizeForTemplate = <T extends Size>(
  { resources, needs }: Pick<Template, 'resources' | 'needs'>,
  sizes: readonly T[],
  rateOf: (size: T) => number,
): T | undefined =>
  sizes
    .filter(
      ({ vcpu, memory_mb, gpu_count }) =>
        vcpu >= resources.vcpu && memory_mb >= resources.memory_mb && gpu_count > 0 === needs.includes('gpu'),
    )
    .sort((a, b) => rateOf(a) - rateOf(b))[0];

/**
 * Returns the expression that matches a template input's whole value. @throws SyntaxError if the pattern is invalid
 */
export const wholly = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`, 'u');
