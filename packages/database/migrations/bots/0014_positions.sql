CREATE TABLE "bots"."positions" (
	"bot_id" text NOT NULL,
	"venue" text NOT NULL,
	"id" integer NOT NULL,
	"pair" text NOT NULL,
	"direction" text NOT NULL,
	"opened_at" bigint NOT NULL,
	"closed_at" bigint NOT NULL,
	"entry_price" text NOT NULL,
	"exit_price" text,
	"quantity" text NOT NULL,
	"net" text NOT NULL,
	"fees" text NOT NULL,
	"funding" text NOT NULL,
	"reason" text,
	CONSTRAINT "positions_bot_id_id_pk" PRIMARY KEY("bot_id","id")
);
--> statement-breakpoint
ALTER TABLE "bots"."fills" ADD COLUMN "position" integer;--> statement-breakpoint
ALTER TABLE "bots"."positions" ADD CONSTRAINT "positions_bot" FOREIGN KEY ("bot_id","venue") REFERENCES "bots"."bots"("id","venue") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- Journal lines that move money, each with its position. Lines without one belong to the newest position of their pair.
CREATE TEMPORARY TABLE "money_lines" ON COMMIT DROP AS
SELECT "bot_id", "venue", "seq", "at", "pair", "kind", "data",
	max(substr("data" ->> 'position', 2)::int) OVER (PARTITION BY "bot_id", "pair" ORDER BY "seq") AS "position"
FROM "bots"."journal"
WHERE "pair" IS NOT NULL AND ("kind" IN ('fill', 'funding', 'liquidation', 'position_closed') OR "kind" = 'external' AND "data" ->> 'what' = 'adjust');--> statement-breakpoint
INSERT INTO "bots"."positions" ("bot_id", "venue", "id", "pair", "direction", "opened_at", "closed_at", "entry_price", "exit_price", "quantity", "net", "fees", "funding", "reason")
WITH "closed" AS (
	SELECT "line"."bot_id", "line"."venue", "line"."position", "line"."pair", "line"."seq", "line"."at", "line"."data",
		coalesce("line"."data" ->> 'direction', CASE (
			SELECT "first"."data" ->> 'side' FROM "money_lines" AS "first"
			WHERE "first"."bot_id" = "line"."bot_id" AND "first"."position" = "line"."position" AND "first"."kind" = 'fill'
			ORDER BY "first"."seq" LIMIT 1
		) WHEN 'sell' THEN 'short' ELSE 'long' END) AS "direction"
	FROM "money_lines" AS "line" WHERE "line"."kind" = 'position_closed'
), "moves" AS (
	SELECT "line"."bot_id", "line"."position", "line"."seq", "line"."kind", "line"."data", "line"."seq" > "closed"."seq" AS "late",
		-- Change of the size: entries, exits, and quantities that were removed without an order.
		CASE
			WHEN "line"."seq" > "closed"."seq" THEN 0
			WHEN "line"."kind" = 'external' THEN ("line"."data" ->> 'quantity')::numeric
			WHEN "line"."kind" <> 'fill' THEN 0
			WHEN ("line"."data" ->> 'side' = 'buy') = ("closed"."direction" = 'long') THEN ("line"."data" ->> 'quantity')::numeric
			ELSE -("line"."data" ->> 'quantity')::numeric
		END AS "change"
	FROM "money_lines" AS "line" JOIN "closed" ON "closed"."bot_id" = "line"."bot_id" AND "closed"."position" = "line"."position"
), "sums" AS (
	SELECT *, sum("change") OVER (PARTITION BY "bot_id", "position" ORDER BY "seq") AS "sum" FROM "moves"
), "sizes" AS (
	-- Dust of an earlier position may be sold too, so that a size never falls below 0.
	SELECT *, "sum" - least(0, min("sum") OVER (PARTITION BY "bot_id", "position" ORDER BY "seq")) AS "size" FROM "sums"
), "exits" AS (
	SELECT *, CASE WHEN "kind" = 'liquidation' AND NOT "late" THEN "size" WHEN "change" < 0 THEN -"change" END AS "exit" FROM "sizes"
), "totals" AS (
	SELECT "bot_id", "position", max("size") AS "quantity", sum("exit") AS "exit",
		sum(round("exit" * ("data" ->> 'price')::numeric, 8)) AS "value",
		(array_agg(CASE "kind" WHEN 'fill' THEN "data" ->> 'reason' ELSE "kind" END ORDER BY "seq" DESC) FILTER (WHERE "exit" IS NOT NULL))[1] AS "reason",
		coalesce(sum(("data" ->> 'amount')::numeric) FILTER (WHERE "kind" = 'funding'), 0) AS "funding",
		coalesce(sum(CASE "kind" WHEN 'funding' THEN ("data" ->> 'amount')::numeric WHEN 'fill' THEN ("data" ->> 'realised')::numeric END) FILTER (WHERE "late"), 0) AS "late_net",
		coalesce(sum(("data" ->> 'feeQuote')::numeric) FILTER (WHERE "late" AND "kind" = 'fill'), 0) AS "late_fees"
	FROM "exits" GROUP BY "bot_id", "position"
)
SELECT "closed"."bot_id", "closed"."venue", "closed"."position", "closed"."pair", "closed"."direction",
	("closed"."data" ->> 'openedAt')::bigint, "closed"."at", "closed"."data" ->> 'entryPrice',
	trim_scale(round("value" / nullif("exit", 0), 8))::text, trim_scale("quantity")::text,
	trim_scale(("closed"."data" ->> 'net')::numeric + "late_net")::text,
	trim_scale(("closed"."data" ->> 'fees')::numeric + "late_fees")::text,
	trim_scale("funding")::text, "reason"
FROM "closed" JOIN "totals" USING ("bot_id", "position");--> statement-breakpoint
UPDATE "bots"."fills" AS "fill" SET "position" = "line"."position" FROM "money_lines" AS "line"
WHERE "line"."kind" = 'fill' AND "line"."bot_id" = "fill"."bot_id" AND "line"."seq" = "fill"."seq";--> statement-breakpoint
CREATE INDEX "positions_closed" ON "bots"."positions" USING btree ("bot_id","closed_at","id");--> statement-breakpoint
CREATE INDEX "fills_position" ON "bots"."fills" USING btree ("bot_id","position");