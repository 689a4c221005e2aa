import DownloadRounded from '@mui/icons-material/DownloadRounded';
import PrintOutlined from '@mui/icons-material/PrintOutlined';
import Button from '@mui/material/Button';
import GlobalStyles from '@mui/material/GlobalStyles';
import { styled } from '@mui/material/styles';
import { useEffect } from 'react';
import { useSession } from '../../api/session';
import { CopyButton } from '../../ui/controls/CopyButton';
import { Notice } from '../../ui/feedback/Notice';
import { FormDialog } from '../../ui/forms/FormDialog';
import { color, radius, space, type } from '../../ui/theme';
import { saveFile } from '../../ui/controls/saveFile';

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
const Row = styled('div')({
  display: 'flex',
  flexWrap: 'wrap',
  gap: space(2),
  '@media print': { display: 'none' },
});

/** On paper only the dialog, black on white. */
const printOnly = {
  '@media print': {
    'body > *:not(.MuiDialog-root)': { display: 'none !important' },
    '.MuiDialog-root, .MuiDialog-root *': { position: 'static !important', boxShadow: 'none !important' },
    '.MuiBackdrop-root': { display: 'none !important' },
  },
} as const;

/** Shown this once, so it closes by one button only, which says that they are kept. */
export function RecoveryCodesDialog({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const { user, environment } = useSession();
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, []);
  const host = new URL(environment.public_url).host;
  const text = `Recovery codes for ${user?.email ?? ''} at ${host}\nEach works once.\n\n${codes.join('\n')}\n`;
  return (
    <FormDialog
      open
      wide
      title="Keep your recovery codes"
      intro={`For ${user?.email ?? ''} at ${host}. Each signs you in once when your other factor is lost.`}
    >
      <GlobalStyles styles={printOnly} />
      <Notice tone="attention" title="They are shown this once.">
        Keep them where your phone is not: a password manager, or on paper.
      </Notice>
      <Codes aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </Codes>
      <Row>
        <CopyButton labelled text={codes.join('\n')} what="recovery codes" />
        <Button
          size="small"
          variant="text"
          startIcon={<DownloadRounded />}
          onClick={() => saveFile('teehouse-recovery-codes.txt', text, 'text/plain')}
        >
          Download
        </Button>
        <Button size="small" variant="text" startIcon={<PrintOutlined />} onClick={() => print()}>
          Print
        </Button>
        <Button variant="contained" color="primary" onClick={onKept} style={{ marginLeft: 'auto' }}>
          I have kept them
        </Button>
      </Row>
    </FormDialog>
  );
}
