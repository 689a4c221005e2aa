import DownloadIcon from 'lucide-react/icons/download';
import PrinterIcon from 'lucide-react/icons/printer';
import { Button } from '../../../ui/controls/Button';
import { css, Global } from '@emotion/react';
import styled from '@emotion/styled';
import { useSession } from '../../../api/session';
import { brandFileName } from '../../../ui/brand/installation';
import { CopyButton } from '../../../ui/controls/CopyButton';
import { Notice } from '../../../ui/feedback/Notice';
import { DialogActions } from '../../../ui/forms/DialogActions';
import { FormDialog } from '../../../ui/forms/FormDialog';
import { color, radius, space, type } from '../../../ui/theme';
import { saveFile } from '../../../ui/controls/saveFile';

const Codes = styled('ul')({
  ...type.mono,
  fontSize: '14px',
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(150px, 1fr))',
  gap: `${space(2)} ${space(5)}`,
  padding: space(4),
  borderRadius: radius.panel,
  border: `1px solid ${color.line}`,
  backgroundColor: color.sunken,
  userSelect: 'all',
});

/** Prints only the dialog, black on white. */
const printOnly = css`
  @media print {
    body > *:not(.MuiDialog-root) {
      display: none !important;
    }
    .MuiDialog-root,
    .MuiDialog-root * {
      position: static !important;
      box-shadow: none !important;
    }
    .MuiBackdrop-root {
      display: none !important;
    }
  }
`;

/** The codes are shown only once, so the dialog closes only through its confirming button. */
export function RecoveryCodesDialog({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const { user, environment } = useSession();
  const host = new URL(environment.public_url).host;
  const text = `Recovery codes for ${user?.email ?? ''} at ${host}\nEach works once.\n\n${codes.join('\n')}\n`;
  return (
    <FormDialog
      open
      wide
      title="Save your recovery codes"
      intro={`For ${user?.email ?? ''} at ${host}. Each code signs you in once if you lose your other factor.`}
    >
      <Global styles={printOnly} />
      <Notice tone="attention" title="These codes are shown only once.">
        Save them in a password manager or on paper, not on your phone.
      </Notice>
      <Codes aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </Codes>
      <DialogActions
        aside={
          <>
            <CopyButton labelled text={codes.join('\n')} what="recovery codes" />
            <Button
              size="small"
              variant="text"
              startIcon={<DownloadIcon />}
              onClick={() => saveFile(`${brandFileName()}-recovery-codes.txt`, text, 'text/plain')}
            >
              Download
            </Button>
            <Button size="small" variant="text" startIcon={<PrinterIcon />} onClick={() => print()}>
              Print
            </Button>
          </>
        }
      >
        <Button variant="contained" onClick={onKept}>
          I’ve saved them
        </Button>
      </DialogActions>
    </FormDialog>
  );
}
