import type { ChangeEvent, ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { AttachImages } from './AttachImages';
import { NOTHING_ATTACHED, sending } from './attachments';
import { useAttachments, type ChangeAttached } from './useAttachments';

/** Reads files in the order of the last digits of their sizes, the smallest first. */
class FakeReader {
  result = 'data:image/png;base64,AA==';
  onload = () => undefined as void;
  readAsDataURL({ size }: Blob) {
    setTimeout(() => this.onload(), size % 1000);
  }
}

beforeAll(() => void vi.stubGlobal('FileReader', FakeReader));
afterAll(() => void vi.unstubAllGlobals());

const file = (name: string, size: number) => ({ name, size, type: 'image/png' });

/** Renders the control without images; returns what chooses files, what sends a message, and what is attached. */
function attaching() {
  const chosen = vi.fn<(choose: (files: object[]) => void) => void>();
  const changes = vi.fn<(change: ChangeAttached) => void>();
  let now = NOTHING_ATTACHED;
  const Probe = () => {
    const [attached, change] = useAttachments();
    const onNext: ChangeAttached = (next) =>
      change((before) => {
        now = next(before);
        return now;
      });
    changes(onNext);
    const { props } = AttachImages({ attached, onChange: onNext }) as ReactElement<{
      children: ReactElement<Record<string, unknown>>[];
    }>;
    const input = props.children.find((child) => child && child.props.type === 'file')!;
    const onChange = input.props.onChange as (event: ChangeEvent<HTMLInputElement>) => void;
    chosen((files) => onChange({ target: { files, value: 'a.png' } } as never));
    return null;
  };
  renderToStaticMarkup(<Probe />);
  return {
    choose: chosen.mock.lastCall![0],
    send: () => changes.mock.lastCall![0](sending(now.images)),
    names: () => now.images.map(({ name }) => name),
  };
}

it('keeps to the limit when more files are chosen before the first ones have been read', async () => {
  const { choose, names } = attaching();
  choose([file('a', 30), file('b', 30), file('c', 30)]);
  choose([file('d', 10), file('e', 10)]);
  // The second choice is read first.
  await vi.waitFor(() => expect(names()).toEqual(['d', 'e', 'a', 'b']));
  choose([file('f', 1)]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(names()).toEqual(['d', 'e', 'a', 'b']);
});

it('counts images that were sent while others were read', async () => {
  const { choose, send, names } = attaching();
  const size = 4_900_000;
  choose([file('late', size + 300)]);
  choose([file('a', size + 1), file('b', size + 1), file('c', size + 1), file('d', size + 1)]);
  await vi.waitFor(() => expect(names()).toEqual(['a', 'b', 'c', 'd']));
  send();
  expect(names()).toEqual([]);
  // With it, the images of the conversation would have more than 20 MB together.
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(names()).toEqual([]);
  choose([file('small', 300_000)]);
  await vi.waitFor(() => expect(names()).toEqual(['small']));
});
