import type { CvmOsImage, CvmOsImageVariant } from '../../../../generated/api/types.gen';

export interface ImageChoice extends CvmOsImageVariant {
  version: string;
  is_dev: boolean;
  /** A warning to show before the image is selected. */
  warning: string | null;
}

const compare = (a: readonly number[], b: readonly number[]): number => {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
};

/** All images, newest first, production before development. */
export function imageChoices(images: readonly CvmOsImage[]): ImageChoice[] {
  const newest =
    images
      .map(({ version }) => version)
      .toSorted(compare)
      .at(-1) ?? [];
  return images
    .toSorted((a, b) => compare(b.version, a.version))
    .flatMap(({ version, prod, dev }) => {
      const old = compare(version, newest) < 0;
      const choice = (variant: CvmOsImageVariant, is_dev: boolean): ImageChoice => ({
        ...variant,
        version: version.join('.'),
        is_dev,
        warning: warningOf(is_dev, old, newest),
      });
      return [...(prod ? [choice(prod, false)] : []), ...(dev ? [choice(dev, true)] : [])];
    });
}

function warningOf(is_dev: boolean, old: boolean, newest: readonly number[]): string | null {
  const notes = [
    ...(is_dev
      ? [
          'A development image: anyone with one of the SSH keys can read the running VM, including its secrets.',
        ]
      : []),
    ...(old
      ? [`Older than ${newest.join('.')}: lacks later security fixes, and verifiers may reject it.`]
      : []),
  ];
  return notes.length === 0 ? null : notes.join(' ');
}
