import DownloadIcon from 'lucide-react/icons/download';
import styled from '@emotion/styled';
import { space } from '../theme';
import { VisuallyHidden } from '../VisuallyHidden';
import { DownloadButton } from './Button';

const Buttons = styled('div')({ display: 'flex', flexWrap: 'wrap', gap: space(2) });

const FORMATS = [
  { format: 'csv', label: 'CSV' },
  { format: 'jsonl', label: 'JSON Lines' },
] as const;

interface Props {
  /** Data of which several exports are on one page: "events". */
  what?: string;
  href: (format: (typeof FORMATS)[number]['format']) => string;
}

/** Plain download links: the browser streams files of any length to disk. */
export function ExportLinks({ what, href }: Props) {
  return (
    <Buttons>
      {FORMATS.map(({ format, label }) => (
        <DownloadButton key={format} size="small" href={href(format)} startIcon={<DownloadIcon />}>
          <span>
            <VisuallyHidden>Export {what === undefined ? '' : `${what} `}as </VisuallyHidden>
            {label}
          </span>
        </DownloadButton>
      ))}
    </Buttons>
  );
}
