import type { AppContractPolicy } from '../../../../generated/api/types.gen';
import { Notice } from '../../../ui/feedback/Notice';
import { Address } from './facts';

/** Shown if the contract’s code differs from what the KMS contract deploys. */
export function CodeNotice({
  policy: { implementation, kms_implementation },
}: {
  policy: Pick<AppContractPolicy, 'implementation' | 'kms_implementation'>;
}) {
  return (
    <Notice tone="attention" title="This contract doesn’t run the code that the KMS contract gives new apps.">
      {implementation === null ? (
        'It isn’t a proxy'
      ) : (
        <>
          Its implementation is <Address value={implementation} what="implementation" />
        </>
      )}
      {kms_implementation !== null && (
        <>
          ; new apps get <Address value={kms_implementation} what="implementation of new apps" />
        </>
      )}
      . Unless this KMS used that code earlier, the contract’s deployer chose it, so the contract may allow
      more than it shows and let others change it.
    </Notice>
  );
}
