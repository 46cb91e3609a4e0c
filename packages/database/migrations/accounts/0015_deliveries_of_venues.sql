-- Notices that wait since before venues say `demo` instead. Every bot traded on the demo market then; its exchange is that of its row,
-- which the other set of migrations may not have changed yet. Where there is none, as of paired hosts, Binance spot stands for it.
UPDATE "accounts"."notify_deliveries" SET "notice" = ("notice" - 'demo') || '{"venue":"binance-demo"}' WHERE NOT "notice" ? 'venue';--> statement-breakpoint
DO $$
BEGIN
	IF to_regclass('bots.bots') IS NOT NULL THEN
		UPDATE "accounts"."notify_deliveries" AS "row"
		SET "notice" = jsonb_set("row"."notice", '{venue}', to_jsonb(coalesce(to_jsonb("bot") ->> 'venue', (to_jsonb("bot") ->> 'exchange') || '-demo')))
		FROM "bots"."bots" AS "bot"
		WHERE "bot"."id" = "row"."notice" ->> 'bot' AND "row"."done_at" IS NULL;
	END IF;
END
$$;
