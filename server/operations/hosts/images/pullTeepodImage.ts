import type { Handler } from "../../types";
import { changeImages, hostImages } from "./hostImages";
import { teepodOr404 } from "../teepod";

/** Starts the download; the host answers before it ends, and lists its progress. */
export const pullTeepodImage: Handler<"pullTeepodImage"> = async ({
  path,
  body,
  ctx,
}) => {
  const teepod = await teepodOr404(ctx.db, path.id);
  await changeImages(ctx, teepod, (driver, how) =>
    driver.pullRegistryImage(body.tag, how),
  );
  await ctx.write(({ audit }) =>
    audit({
      action: "teepod.pull_image",
      target_kind: "teepod",
      target_id: String(teepod.id),
      after: { tag: body.tag },
    }),
  );
  return { status: 200, body: await hostImages(ctx, ctx.db, teepod) };
};
