// A second vendor of DDS, Fast DDS, as subscriber and publisher: it keeps the bytes of every odometry in the file
// argv[1], answers each with the same four numbers, and ends after argv[2] of them, in the domain argv[3]. It knows
// nothing of the types.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/dds/topic/TypeSupport.hpp>

using namespace eprosima::fastdds::dds;
using eprosima::fastrtps::rtps::InstanceHandle_t;
using eprosima::fastrtps::rtps::SerializedPayload_t;
using Bytes = std::vector<unsigned char>;

class Raw : public TopicDataType {
 public:
  explicit Raw(const char* name) {
    setName(name);
    m_typeSize = 65536;
    m_isGetKeyDefined = false;
  }
  bool serialize(void* data, SerializedPayload_t* payload) override {
    const Bytes& bytes = *static_cast<Bytes*>(data);
    payload->encapsulation = CDR_LE;
    payload->length = static_cast<uint32_t>(bytes.size());
    std::memcpy(payload->data, bytes.data(), bytes.size());
    return true;
  }
  bool deserialize(SerializedPayload_t* payload, void* data) override {
    static_cast<Bytes*>(data)->assign(payload->data, payload->data + payload->length);
    return true;
  }
  std::function<uint32_t()> getSerializedSizeProvider(void* data) override {
    return [data]() { return static_cast<uint32_t>(static_cast<Bytes*>(data)->size()); };
  }
  void* createData() override { return new Bytes(); }
  void deleteData(void* data) override { delete static_cast<Bytes*>(data); }
  bool getKey(void*, InstanceHandle_t*, bool) override { return false; }
};

static Bytes command() {
  Bytes bytes = {0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0};
  const double numbers[4] = {0.5625, 0.5, 0.5, 0.5625};
  const unsigned char* raw = reinterpret_cast<const unsigned char*>(numbers);
  bytes.insert(bytes.end(), raw, raw + sizeof numbers);
  return bytes;
}

class Answer : public DataReaderListener {
 public:
  Answer(DataWriter* writer, FILE* file) : writer_(writer), file_(file) {}
  void on_data_available(DataReader* reader) override {
    Bytes seen, said = command();
    SampleInfo info;
    while (reader->take_next_sample(&seen, &info) == ReturnCode_t::RETCODE_OK) {
      if (!info.valid_data) continue;
      const uint32_t size = static_cast<uint32_t>(seen.size());
      std::fwrite(&size, sizeof size, 1, file_);
      std::fwrite(seen.data(), 1, size, file_);
      writer_->write(&said);
      ++count;
    }
  }
  std::atomic<long> count{0};

 private:
  DataWriter* writer_;
  FILE* file_;
};

int main(int, char** argv) {
  FILE* file = std::fopen(argv[1], "wb");
  const long wanted = std::atol(argv[2]);
  DomainParticipantQos qos;
  qos.name("second vendor");
  DomainParticipant* participant = DomainParticipantFactory::get_instance()->create_participant(std::atoi(argv[3]), qos);
  TypeSupport odometry(new Raw("nav_msgs::msg::dds_::Odometry_"));
  TypeSupport numbers(new Raw("std_msgs::msg::dds_::Float64MultiArray_"));
  odometry.register_type(participant);
  numbers.register_type(participant);
  Topic* in = participant->create_topic("rt/quadcopter/odometry", odometry.get_type_name(), TOPIC_QOS_DEFAULT);
  Topic* out = participant->create_topic("rt/quadcopter/command", numbers.get_type_name(), TOPIC_QOS_DEFAULT);
  DataWriterQos write = DATAWRITER_QOS_DEFAULT;
  write.reliability().kind = RELIABLE_RELIABILITY_QOS;
  write.history().kind = KEEP_ALL_HISTORY_QOS;
  DataReaderQos read = DATAREADER_QOS_DEFAULT;
  read.reliability().kind = RELIABLE_RELIABILITY_QOS;
  read.history().kind = KEEP_ALL_HISTORY_QOS;
  DataWriter* writer = participant->create_publisher(PUBLISHER_QOS_DEFAULT)->create_datawriter(out, write);
  Answer answer(writer, file);
  participant->create_subscriber(SUBSCRIBER_QOS_DEFAULT)->create_datareader(in, read, &answer);
  for (int k = 0; k < 40000 && answer.count < wanted; ++k) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::this_thread::sleep_for(std::chrono::seconds(1));
  std::fclose(file);
  std::printf("%ld\n", answer.count.load());
  std::fflush(stdout);
  std::_Exit(answer.count < wanted);
}
