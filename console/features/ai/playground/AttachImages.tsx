import styled from '@emotion/styled';
import ImagePlusIcon from 'lucide-react/icons/image-plus';
import { useRef, useState, type ChangeEvent } from 'react';
import { counted } from '../../../lib/texts/count';
import { useAnnounce } from '../../../ui/announce';
import { Button } from '../../../ui/controls/Button';
import { RemoveChip } from '../../../ui/controls/RemoveChip';
import { FieldError } from '../../../ui/forms/Field';
import { space } from '../../../ui/theme';
import {
  attachable,
  beforeOf,
  IMAGE_TYPES,
  newAttachmentId,
  readDataUrl,
  type Attached,
  type Attachment,
} from './attachments';
import { Thumbnail, Thumbnails } from './Thumbnails';
import type { ChangeAttached } from './useAttachments';

const Stack = styled('div')({ display: 'grid', gap: space(2), justifyItems: 'start', minWidth: 0 });

interface Props {
  attached: Attached;
  onChange: ChangeAttached;
}

const ERROR_ID = 'attach-error';

/** The images of the message being written, and a button that attaches more. */
export function AttachImages({ attached, onChange }: Props) {
  const { images } = attached;
  const announce = useAnnounce();
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const take = async (event: ChangeEvent<HTMLInputElement>) => {
    const chosen = [...(event.target.files ?? [])];
    // Otherwise the same file couldn't be chosen again after it was removed.
    event.target.value = '';
    const { taken: files, problem: fault } = attachable(chosen, beforeOf(attached));
    setProblem(fault);
    try {
      const read = await Promise.all(
        files.map(async (file) => ({
          name: file.name,
          type: file.type,
          size: file.size,
          url: await readDataUrl(file),
        })),
      );
      onChange((before) => {
        // Others may have been attached or sent while these were read.
        const { taken, problem: tooMuch } = attachable(read, beforeOf(before));
        if (tooMuch !== null) setProblem(tooMuch);
        if (taken.length > 0) announce(`${counted(taken.length, ['image', 'images'])} attached`);
        const added = taken.map(({ name, size, url }) => ({ id: newAttachmentId(), name, url, bytes: size }));
        return { ...before, images: [...before.images, ...added] };
      });
    } catch {
      setProblem('The image couldn’t be read. Choose it again.');
    }
  };
  const remove = ({ id, name }: Attachment, control: HTMLElement) => {
    // The focused button disappears with its image; the next one takes the focus.
    const next = control.closest('li')?.nextElementSibling?.querySelector('button') ?? button.current;
    next?.focus();
    setProblem(null);
    onChange((before) => ({ ...before, images: before.images.filter((one) => one.id !== id) }));
    announce(`${name} removed`);
  };
  return (
    <Stack>
      {images.length > 0 && (
        <Thumbnails aria-label="Attached images">
          {images.map((image) => (
            <Thumbnail key={image.id} image={image}>
              <RemoveChip
                aria-label={`Remove ${image.name}`}
                onClick={({ currentTarget }) => remove(image, currentTarget)}
              />
            </Thumbnail>
          ))}
        </Thumbnails>
      )}
      <Button
        ref={button}
        size="small"
        startIcon={<ImagePlusIcon />}
        onClick={() => input.current?.click()}
        {...(problem === null ? {} : { 'aria-describedby': ERROR_ID })}
      >
        Attach images
      </Button>
      <input
        ref={input}
        hidden
        type="file"
        multiple
        accept={IMAGE_TYPES.join(',')}
        onChange={(event) => void take(event)}
      />
      <div role="alert">{problem !== null && <FieldError id={ERROR_ID}>{problem}</FieldError>}</div>
    </Stack>
  );
}
