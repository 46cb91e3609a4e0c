ALTER TABLE "bots"."bots" RENAME COLUMN "exchange" TO "venue";--> statement-breakpoint
ALTER TABLE "bots"."keys" RENAME COLUMN "exchange" TO "venue";--> statement-breakpoint
ALTER TABLE "bots"."workers" RENAME COLUMN "exchange" TO "venue";--> statement-breakpoint
ALTER TABLE "bots"."bots" DROP CONSTRAINT "bots_key_id_keys_id_fk";--> statement-breakpoint
ALTER TABLE "bots"."equity" DROP CONSTRAINT "equity_bot_id_bots_id_fk";--> statement-breakpoint
ALTER TABLE "bots"."journal" DROP CONSTRAINT "journal_bot_id_bots_id_fk";--> statement-breakpoint
ALTER TABLE "bots"."notices" DROP CONSTRAINT "notices_bot_id_bots_id_fk";--> statement-breakpoint
ALTER TABLE "bots"."snapshots" DROP CONSTRAINT "snapshots_bot_id_bots_id_fk";--> statement-breakpoint
ALTER TABLE "bots"."trades" DROP CONSTRAINT "trades_bot_id_bots_id_fk";--> statement-breakpoint
DROP INDEX "bots"."bots_exchange";--> statement-breakpoint
-- Every installation until now traded on the demo market, whatever the exchange was called.
UPDATE "bots"."bots" SET "venue" = "venue" || '-demo', "options" = jsonb_set("options", '{exchange}', to_jsonb("venue" || '-demo'));--> statement-breakpoint
UPDATE "bots"."keys" SET "venue" = "venue" || '-demo';--> statement-breakpoint
DELETE FROM "bots"."workers";--> statement-breakpoint
ALTER TABLE "bots"."equity" ADD COLUMN "venue" text;--> statement-breakpoint
UPDATE "bots"."equity" AS "row" SET "venue" = "bot"."venue" FROM "bots"."bots" AS "bot" WHERE "bot"."id" = "row"."bot_id";--> statement-breakpoint
ALTER TABLE "bots"."equity" ALTER COLUMN "venue" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "bots"."fills" ADD COLUMN "venue" text;--> statement-breakpoint
UPDATE "bots"."fills" AS "row" SET "venue" = "bot"."venue" FROM "bots"."bots" AS "bot" WHERE "bot"."id" = "row"."bot_id";--> statement-breakpoint
ALTER TABLE "bots"."fills" ALTER COLUMN "venue" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "bots"."journal" ADD COLUMN "venue" text;--> statement-breakpoint
UPDATE "bots"."journal" AS "row" SET "venue" = "bot"."venue" FROM "bots"."bots" AS "bot" WHERE "bot"."id" = "row"."bot_id";--> statement-breakpoint
ALTER TABLE "bots"."journal" ALTER COLUMN "venue" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "bots"."notices" ADD COLUMN "venue" text;--> statement-breakpoint
UPDATE "bots"."notices" AS "row" SET "venue" = "bot"."venue" FROM "bots"."bots" AS "bot" WHERE "bot"."id" = "row"."bot_id";--> statement-breakpoint
ALTER TABLE "bots"."notices" ALTER COLUMN "venue" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "bots"."snapshots" ADD COLUMN "venue" text;--> statement-breakpoint
UPDATE "bots"."snapshots" AS "row" SET "venue" = "bot"."venue", "session" = regexp_replace("session", '"exchange":"(binance|binanceusdm|mexc)"', '"exchange":"\1-demo"') FROM "bots"."bots" AS "bot" WHERE "bot"."id" = "row"."bot_id";--> statement-breakpoint
ALTER TABLE "bots"."snapshots" ALTER COLUMN "venue" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "bots"."trades" ADD COLUMN "venue" text;--> statement-breakpoint
UPDATE "bots"."trades" AS "row" SET "venue" = "bot"."venue" FROM "bots"."bots" AS "bot" WHERE "bot"."id" = "row"."bot_id";--> statement-breakpoint
ALTER TABLE "bots"."trades" ALTER COLUMN "venue" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "bots"."bots" ADD CONSTRAINT "bots_venue" UNIQUE("id","venue");--> statement-breakpoint
ALTER TABLE "bots"."keys" ADD CONSTRAINT "keys_venue" UNIQUE("id","venue");--> statement-breakpoint
ALTER TABLE "bots"."bots" ADD CONSTRAINT "bots_key_of_venue" FOREIGN KEY ("key_id","venue") REFERENCES "bots"."keys"("id","venue") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bots"."equity" ADD CONSTRAINT "equity_bot" FOREIGN KEY ("bot_id","venue") REFERENCES "bots"."bots"("id","venue") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bots"."fills" ADD CONSTRAINT "fills_bot" FOREIGN KEY ("bot_id","venue") REFERENCES "bots"."bots"("id","venue") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bots"."journal" ADD CONSTRAINT "journal_bot" FOREIGN KEY ("bot_id","venue") REFERENCES "bots"."bots"("id","venue") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bots"."notices" ADD CONSTRAINT "notices_bot" FOREIGN KEY ("bot_id","venue") REFERENCES "bots"."bots"("id","venue") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bots"."snapshots" ADD CONSTRAINT "snapshots_bot" FOREIGN KEY ("bot_id","venue") REFERENCES "bots"."bots"("id","venue") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bots"."trades" ADD CONSTRAINT "trades_bot" FOREIGN KEY ("bot_id","venue") REFERENCES "bots"."bots"("id","venue") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bots_by_venue" ON "bots"."bots" USING btree ("venue");
