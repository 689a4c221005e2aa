import { ToolFault, type McpServer } from '../../mcp/protocol';
import type { CallOperation } from './callOperation';
import { CVM, schema } from './readTools';

type Tool = McpServer['tools'][number];

/** Same as the API's limit for a Compose file. */
const MAX_COMPOSE = 204_800;

const cvmTool = (
  call: CallOperation,
  id: 'startCvm' | 'shutdownCvm' | 'restartCvm',
  about: Pick<Tool, 'name' | 'title' | 'description' | 'is_destructive'>,
): Tool => ({
  ...about,
  is_read_only: false,
  input: schema({ cvm: CVM }, 'cvm'),
  async call({ cvm }) {
    const { name, status } = await call(id, { path: { cvm_id: cvm as string } });
    return { name, status, next: 'This takes a few seconds. get_cvm shows when it is done.' };
  },
});

/** Writing tools; those that interrupt an app or delete its data are marked as destructive. */
export const changeTools = (call: CallOperation): Tool[] => [
  {
    name: 'deploy_app',
    title: 'Deploy an app',
    description:
      'Deploys a docker-compose file into a new confidential VM, which costs money from then on. The file is measured and becomes part of what others can verify, so never write a secret into it: secrets are entered in the console, where they are encrypted in the browser.',
    input: schema(
      {
        name: {
          type: 'string',
          description: 'Letters, digits and single dashes; unique in the team.',
          minLength: 5,
          maxLength: 63,
        },
        docker_compose_file: {
          type: 'string',
          description: 'The YAML of the docker-compose file. Images need a registry that the CVM can reach.',
          minLength: 1,
          maxLength: MAX_COMPOSE,
        },
        instance_type: {
          type: 'string',
          description: 'A size from list_sizes; tdx.small by default.',
          minLength: 1,
          maxLength: 64,
        },
        disk_size_gb: {
          type: 'integer',
          description: 'Size of the encrypted disk.',
          minimum: 1,
          maximum: 65_536,
        },
      },
      'name',
      'docker_compose_file',
    ),
    is_read_only: false,
    is_destructive: false,
    async call({ name, docker_compose_file, instance_type, disk_size_gb }) {
      const { app_id, compose_hash } = await call('provisionCvm', {
        body: {
          name,
          compose_file: { docker_compose_file },
          ...(instance_type === undefined ? {} : { instance_type }),
          ...(disk_size_gb === undefined ? {} : { disk_size: disk_size_gb }),
        },
      });
      // Only apps guarded by a contract have no app ID yet; they are deployed in the console with a wallet.
      if (app_id === null)
        throw new ToolFault('The keys of this app are guarded by a contract. Deploy it in the console.');
      const made = await call('createCvm', { body: { app_id, compose_hash } });
      return {
        app_id,
        cvm: made.vm_uuid,
        name: made.name,
        status: made.status,
        compose_hash,
        next: 'It takes a minute or two to boot. get_cvm shows its progress.',
      };
    },
  },
  cvmTool(call, 'startCvm', {
    name: 'start_cvm',
    title: 'Start a CVM',
    description: 'Starts a stopped CVM, which is charged from then on.',
    is_destructive: false,
  }),
  cvmTool(call, 'restartCvm', {
    name: 'restart_cvm',
    title: 'Restart a CVM',
    description:
      'Shuts a CVM down and boots it again. The app is unavailable in the meantime; the disk is kept.',
    is_destructive: true,
  }),
  cvmTool(call, 'shutdownCvm', {
    name: 'stop_cvm',
    title: 'Stop a CVM',
    description:
      'Shuts a CVM down. The app is unavailable until the CVM is started again; the disk is kept and charged.',
    is_destructive: true,
  }),
  {
    name: 'delete_cvm',
    title: 'Delete a CVM',
    description:
      'Stops a CVM and moves it to the recycle bin, where it can be restored for 24 hours; then its disk is destroyed.',
    input: schema({ cvm: CVM }, 'cvm'),
    is_read_only: false,
    is_destructive: true,
    async call({ cvm }) {
      await call('deleteCvm', { path: { cvm_id: cvm as string } });
      return 'Deleted. It can be restored from the recycle bin for 24 hours.';
    },
  },
];
