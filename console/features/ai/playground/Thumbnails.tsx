import styled from '@emotion/styled';
import type { ReactNode } from 'react';
import { color, radius, space, truncated, type } from '../../../ui/theme';
import type { Attachment } from './attachments';

/** Images side by side. */
export const Thumbnails = styled('ul')({
  display: 'flex',
  flexWrap: 'wrap',
  gap: space(2),
  margin: 0,
  padding: 0,
  listStyle: 'none',
  minWidth: 0,
});
const Item = styled('li')({
  display: 'grid',
  width: 112,
  border: `1px solid ${color.line}`,
  borderRadius: radius.control,
  backgroundColor: color.sunken,
  overflow: 'hidden',
});
const Picture = styled('img')({ display: 'block', width: '100%', height: 80, objectFit: 'contain' });
const Caption = styled('div')({
  ...type.caption,
  display: 'flex',
  alignItems: 'center',
  minWidth: 0,
  minHeight: 26,
  paddingLeft: space(2),
  color: color.muted,
});
const Name = styled('span')({
  flex: 1,
  minWidth: 0,
  ...truncated,
});

interface Props {
  image: Pick<Attachment, 'name' | 'url'>;
  /** Its action. */
  children?: ReactNode;
}

/** A small preview of an image, with its name. */
export function Thumbnail({ image, children }: Props) {
  return (
    <Item>
      <Picture src={image.url} alt="" />
      <Caption>
        <Name title={image.name}>{image.name}</Name>
        {children}
      </Caption>
    </Item>
  );
}
