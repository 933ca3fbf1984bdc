"""redis-py's own calls for Bloom filters, unchanged, as Debian packages it."""

import unittest

import redis

from harness import Test


class RedisPy(Test):
    def setUp(self):
        super().setUp()
        self.bf = redis.Redis(port=self.server.port).bf()

    def tearDown(self):
        self.bf.client.close()
        super().tearDown()

    def test_a_filter_is_made_and_asked(self):
        self.assertTrue(self.bf.create("f", 0.001, 1000))
        self.assertEqual(self.bf.add("f", "x"), 1)
        self.assertEqual(self.bf.add("f", "x"), 0)
        self.assertEqual(self.bf.exists("f", "x"), 1)
        self.assertEqual(self.bf.exists("f", "y"), 0)
        self.assertEqual(self.bf.madd("f", "x", "y", "z"), [0, 1, 1])
        self.assertEqual(self.bf.mexists("f", "x", "y", "q"), [1, 1, 0])

    def test_options_are_taken(self):
        self.assertTrue(self.bf.create("e", 0.01, 100, expansion=4))
        self.assertEqual(self.bf.info("e").expansionRate, 4)
        self.assertTrue(self.bf.create("n", 0.01, 100, noScale=True))
        self.assertIsNone(self.bf.info("n").expansionRate)
        with self.assertRaisesRegex(redis.ResponseError,
                                    "Nonscaling filters cannot expand"):
            self.bf.create("b", 0.01, 100, expansion=2, noScale=True)

    def test_insert_makes_a_filter_or_does_not(self):
        self.assertEqual(self.bf.insert("i", ["a", "b", "a"], capacity=500,
                                        error=0.001, expansion=3), [1, 1, 0])
        info = self.bf.info("i")
        self.assertEqual((info.capacity, info.filterNum, info.insertedNum,
                          info.expansionRate), (500, 1, 2, 3))
        self.assertGreater(info.size, 500)
        with self.assertRaisesRegex(redis.ResponseError, "not found"):
            self.bf.insert("none", ["a"], noCreate=True)
        self.assertEqual(self.bf.insert("i", ["c"], noCreate=True), [1])

    def test_errors_are_its_errors(self):
        self.bf.client.set("s", "1")
        with self.assertRaisesRegex(redis.ResponseError, "WRONGTYPE"):
            self.bf.add("s", "x")
        self.bf.create("f", 0.01, 10)
        with self.assertRaisesRegex(redis.ResponseError, "item exists"):
            self.bf.create("f", 0.01, 10)

    @unittest.skipIf(redis.utils.HIREDIS_AVAILABLE, "redis-py refuses to, "
                     "where it is given hiredis")
    def test_a_filter_is_dumped_and_loaded(self):
        """The loop of redis-py's documentation."""
        self.bf.create("f", 0.001, 1000)
        self.bf.madd("f", *["k%d" % i for i in range(3000)])
        saved, iterator = [], 0
        while True:
            iterator, data = self.bf.scandump("f", iterator)
            if iterator == 0:
                break
            saved.append((iterator, data))
        for iterator, data in saved:
            self.assertTrue(self.bf.loadchunk("g", iterator, data))
        self.assertEqual(self.bf.mexists("g", *["k%d" % i for i in
                                                range(3000)]), [1] * 3000)

    def test_pipelines_work(self):
        pipeline = self.bf.client.pipeline(transaction=True)
        for i in range(1000):
            pipeline.execute_command("BF.ADD", "p", "k%d" % i)
        self.assertGreater(sum(pipeline.execute()), 980)
        self.assertEqual(self.bf.mexists("p", *["k%d" % i for i in
                                                range(1000)]), [1] * 1000)


if __name__ == "__main__":
    unittest.main(verbosity=2)
