import { askVault } from '../../../../api/vault';
import { Button } from '../../../../ui/controls/Button';
import { Notice } from '../../../../ui/feedback/Notice';

/** Offers to set up a vault, with the reason. */
export const SetUpVault = ({ children }: { children: string }) => (
  <Notice
    tone="neutral"
    action={
      <Button size="small" style={{ flex: 'none' }} onClick={() => void askVault('set_up')}>
        Set up a vault
      </Button>
    }
  >
    {children}
  </Notice>
);
