import { expect, it } from 'vitest';
import { attachable, attachingAgain, beforeOf, NOTHING_ATTACHED, sending } from './attachments';

const file = (name: string, size = 1000, type = 'image/png') => ({ name, size, type });
const none = { count: 0, bytes: 0 };

it('takes up to four images', () => {
  const files = ['a.png', 'b.png', 'c.png', 'd.png', 'e.png'].map((name) => file(name));
  const { taken, problem } = attachable(files, none);
  expect(taken.map(({ name }) => name)).toEqual(['a.png', 'b.png', 'c.png', 'd.png']);
  expect(problem).toContain('4 images');
  expect(attachable([file('e.png')], { count: 4, bytes: 0 }).taken).toEqual([]);
});

it('accepts image formats that models read, and says why others are refused', () => {
  const { taken, problem } = attachable(
    [
      file('scan.pdf', 10, 'application/pdf'),
      file('a.webp', 10, 'image/webp'),
      file('b.svg', 10, 'image/svg+xml'),
    ],
    none,
  );
  expect(taken.map(({ name }) => name)).toEqual(['a.webp']);
  expect(problem).toContain('scan.pdf');
});

it('takes none that would make the request too large', () => {
  expect(attachable([file('a.png', 5_000_000)], none).problem).toBeNull();
  expect(attachable([file('a.png', 5_000_001)], none)).toEqual({
    taken: [],
    problem: 'a.png is larger than 5 MB. Choose a smaller one.',
  });
  // Earlier messages are sent again.
  expect(attachable([file('a.png', 2_000_000)], { count: 0, bytes: 19_000_000 })).toMatchObject({
    taken: [],
    problem: expect.stringContaining('total 20 MB') as string,
  });
});

it('counts images as sent unless their message fails', () => {
  const image = (id: number, bytes: number) => ({ id, name: `${id}.png`, url: '', bytes });
  const images = [image(1, 100), image(2, 200)];
  const sent = sending(images)({ images: [...images, image(3, 50)], sentBytes: 1000 });
  expect(sent).toEqual({ images: [image(3, 50)], sentBytes: 1300 });
  expect(beforeOf(sent)).toEqual({ count: 1, bytes: 1350 });
  expect(attachingAgain(images)(sent)).toEqual({ images: [...images, image(3, 50)], sentBytes: 1000 });
  // The conversation was cleared in the meantime.
  expect(attachingAgain(images)(NOTHING_ATTACHED)).toEqual({ images, sentBytes: 0 });
});
