import DownloadIcon from 'lucide-react/icons/download';
import type { ChainDefinition } from '../../lib/kms/chains';
import type { ContractCall } from '../../lib/kms/contractCalls';
import { safeFile } from '../../lib/kms/safeFile';
import { Button } from '../controls/Button';
import { saveFile } from '../controls/saveFile';

/** Downloads transactions as a file for an owner that is a Safe: its signers import, sign and send it. */
export function SafeFileButton({
  calls,
  contract,
  chain,
  name,
}: {
  calls: readonly ContractCall[];
  contract: string;
  chain: ChainDefinition;
  /** Describes the transactions; also names the file. */
  name: string;
}) {
  const download = () =>
    saveFile(
      `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.safe.json`,
      safeFile({
        chain_id: chain.id,
        contract,
        calls,
        name,
        description: `${calls.map((call) => call.signature).join(', ')} on ${contract}`,
        created_at: new Date(),
      }),
      'application/json',
    );
  return (
    <Button size="small" startIcon={<DownloadIcon />} onClick={download}>
      Download Safe file
    </Button>
  );
}
