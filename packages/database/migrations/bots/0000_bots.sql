CREATE SCHEMA "bots";
--> statement-breakpoint
CREATE TABLE "bots"."bots" (
	"id" text PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"exchange" text NOT NULL,
	"name" text NOT NULL,
	"options" jsonb NOT NULL,
	"params" jsonb NOT NULL,
	"wanted" text DEFAULT 'stopped' NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "bots_owner_name" UNIQUE("owner","name"),
	CONSTRAINT "bots_wanted_known" CHECK ("bots"."bots"."wanted" in ('running', 'stopped'))
);
--> statement-breakpoint
CREATE TABLE "bots"."fills" (
	"bot_id" text NOT NULL,
	"id" text NOT NULL,
	"trade_id" text NOT NULL,
	"seq" bigint NOT NULL,
	"at" bigint NOT NULL,
	"pair" text NOT NULL,
	"side" text NOT NULL,
	"quantity" text NOT NULL,
	"price" text NOT NULL,
	"fee" text NOT NULL,
	"fee_asset" text NOT NULL,
	"liquidity" text NOT NULL,
	"reason" text NOT NULL,
	CONSTRAINT "fills_bot_id_id_pk" PRIMARY KEY("bot_id","id")
);
--> statement-breakpoint
CREATE TABLE "bots"."journal" (
	"bot_id" text NOT NULL,
	"seq" bigint NOT NULL,
	"at" bigint NOT NULL,
	"pair" text,
	"kind" text NOT NULL,
	"data" jsonb NOT NULL,
	CONSTRAINT "journal_bot_id_seq_pk" PRIMARY KEY("bot_id","seq")
);
--> statement-breakpoint
CREATE TABLE "bots"."snapshots" (
	"bot_id" text PRIMARY KEY NOT NULL,
	"fence" bigint DEFAULT 0 NOT NULL,
	"seq" bigint DEFAULT 0 NOT NULL,
	"status" text NOT NULL,
	"session" text NOT NULL,
	"saved_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "bots"."trades" (
	"bot_id" text NOT NULL,
	"id" text NOT NULL,
	"pair" text NOT NULL,
	"kind" text NOT NULL,
	"side" text NOT NULL,
	"reason" text NOT NULL,
	"opened_at" bigint NOT NULL,
	"closed_at" bigint,
	"quantity" text NOT NULL,
	"average_price" text NOT NULL,
	"first_price" text NOT NULL,
	"slippage_percent" double precision NOT NULL,
	"fee" text NOT NULL,
	"fee_asset" text NOT NULL,
	"fee_quote" text NOT NULL,
	"realised" text,
	CONSTRAINT "trades_bot_id_id_pk" PRIMARY KEY("bot_id","id")
);
--> statement-breakpoint
ALTER TABLE "bots"."fills" ADD CONSTRAINT "fills_bot_id_trade_id_trades_bot_id_id_fk" FOREIGN KEY ("bot_id","trade_id") REFERENCES "bots"."trades"("bot_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bots"."journal" ADD CONSTRAINT "journal_bot_id_bots_id_fk" FOREIGN KEY ("bot_id") REFERENCES "bots"."bots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bots"."snapshots" ADD CONSTRAINT "snapshots_bot_id_bots_id_fk" FOREIGN KEY ("bot_id") REFERENCES "bots"."bots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bots"."trades" ADD CONSTRAINT "trades_bot_id_bots_id_fk" FOREIGN KEY ("bot_id") REFERENCES "bots"."bots"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bots_exchange" ON "bots"."bots" USING btree ("exchange");--> statement-breakpoint
CREATE INDEX "fills_trade" ON "bots"."fills" USING btree ("bot_id","trade_id");--> statement-breakpoint
CREATE INDEX "journal_pair" ON "bots"."journal" USING btree ("bot_id","pair","seq");--> statement-breakpoint
CREATE INDEX "trades_opened" ON "bots"."trades" USING btree ("bot_id","opened_at","id");