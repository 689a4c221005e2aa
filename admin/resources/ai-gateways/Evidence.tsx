import { LinkButton } from '../../../console/ui/controls/Button';
import { Panel } from '../../../console/ui/layout/Panel';
import { adminHref } from '../../paths';
import type { AdminRecord } from '../../record';

/** Links to the evidence of a gateway's CVM, if it was deployed from here. */
export function Evidence({ record }: { record: AdminRecord }) {
  const { cvm_id } = record;
  if (typeof cvm_id !== 'string') return null;
  const page = adminHref.show('cvms', cvm_id);
  return (
    <Panel
      title="Evidence"
      subtitle="The gateway’s CVM proves which Compose file it runs."
      framed
      actions={
        <>
          <LinkButton size="small" href={`${page}/certificates`}>
            Certificates
          </LinkButton>
          <LinkButton size="small" href={`${page}/compose`}>
            Compose file
          </LinkButton>
          <LinkButton size="small" href={`${page}/kms`}>
            Key service
          </LinkButton>
        </>
      }
    >
      <p>
        Its quote and certificates include that file’s hash. The key service shows which apps receive keys.
      </p>
    </Panel>
  );
}
