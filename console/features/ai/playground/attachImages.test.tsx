import type { ChangeEvent, ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { AttachImages } from './AttachImages';
import type { Attachment } from './attachments';
import { useAttachments } from './useAttachments';

/** Reads files in the order of their sizes, the smallest first. */
class FakeReader {
  result = 'data:image/png;base64,AA==';
  onload = () => undefined as void;
  readAsDataURL({ size }: Blob) {
    setTimeout(() => this.onload(), size);
  }
}

beforeAll(() => void vi.stubGlobal('FileReader', FakeReader));
afterAll(() => void vi.unstubAllGlobals());

const file = (name: string, size: number) => ({ name, size, type: 'image/png' });

/** Renders the control without images; returns what chooses files and what is attached. */
function attaching() {
  const chosen = vi.fn<(choose: (files: object[]) => void) => void>();
  let attached: readonly Attachment[] = [];
  const Probe = () => {
    const [images, change] = useAttachments();
    const { props } = AttachImages({
      images,
      sentBytes: 0,
      onChange: (next) =>
        change((before) => {
          attached = next(before);
          return attached;
        }),
    }) as ReactElement<{ children: ReactElement<Record<string, unknown>>[] }>;
    const input = props.children.find((child) => child && child.props.type === 'file')!;
    const onChange = input.props.onChange as (event: ChangeEvent<HTMLInputElement>) => void;
    chosen((files) => onChange({ target: { files, value: 'a.png' } } as never));
    return null;
  };
  renderToStaticMarkup(<Probe />);
  return { choose: chosen.mock.lastCall![0], names: () => attached.map(({ name }) => name) };
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
