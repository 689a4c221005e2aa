import DownloadIcon from 'lucide-react/icons/download';
import type { ReactNode } from 'react';
import { Button } from './Button';
import { Spinner } from './Spinner';

interface Props {
  /** Its file is being created. */
  pending: boolean;
  /** It can't be pressed now; by default while its file is being created. */
  disabled?: boolean;
  isSmall?: boolean;
  onClick: () => void;
  /** What it says: "Download CSV". */
  children: ReactNode;
}

/** Downloads a file that is created when asked. */
export function DownloadButton({ pending, disabled = pending, isSmall = false, onClick, children }: Props) {
  return (
    <Button
      {...(isSmall && { size: 'small' as const })}
      startIcon={pending ? <Spinner /> : <DownloadIcon />}
      disabled={disabled}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}
